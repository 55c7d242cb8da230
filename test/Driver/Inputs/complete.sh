# complete.sh SCRIPT LINE...: prints what the completion SCRIPT offers at the end of each LINE. The function is called as
# bash does: its second argument is the word to be replaced, which begins at a quote or after one of '=', '<', '(', ';'.
source "$1"
shift
for COMP_LINE; do
  COMP_POINT=${#COMP_LINE}
  rest=$COMP_LINE
  while [[ $rest =~ ^[^\'\"]*(\'[^\']*\'|\"[^\"]*\")(.*)$ ]]; do rest=${BASH_REMATCH[2]}; done
  word=${COMP_LINE##*[[:space:]=\<\(\;]}
  [[ $rest == *[\'\"]* ]] && word=${rest##*[\'\"]}
  COMPREPLY=()
  tool=${COMP_LINE%%[[:space:]]*}
  "_${tool//-/_}" "$tool" "$word" ""
  echo "$COMP_LINE:"
  ((${#COMPREPLY[@]})) && printf '  [%s]\n' "${COMPREPLY[@]}"
done
exit 0
