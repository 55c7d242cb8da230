"""The error of files and tools, which main() prints."""


class DoctorError(Exception):
    pass
