# complete.zsh SCRIPT LINE...: prints each LINE as a tab completes it, with the completion SCRIPT loaded.
zmodload zsh/zpty
script=$1
shift
zpty shell zsh -f -i
zpty -w shell 'PS1= PS2= RPS1= ; stty -echo; unsetopt zle_bracketed_paste 2>/dev/null; autoload -U compinit; compinit -D -u'
zpty -w shell "source $script; setopt no_beep no_list_beep; LISTMAX=-1"
zpty -w shell 'show() { print -r -- "sho""wn:<$BUFFER:>"; BUFFER= }; zle -N show; bindkey "^X" show; print rea""dy'
zpty -r -m shell answer '*ready*'
for line; do
  zpty -w -n shell "$line"$'\t\x18'
  zpty -r -m shell answer '*shown:<*:>*'
  answer=${answer##*shown:}
  print -r -- "${answer%%:>*}>"
done
zpty -d shell
