"""Reject files in forms, except on the import page.

Django parses a form before it checks access, and would write a file of any size to the temporary
folder.
"""

from typing import Never

from django.core.exceptions import BadRequest
from django.core.files.uploadhandler import FileUploadHandler


class NoFiles(FileUploadHandler):
    """Reject a form at its first file."""

    def new_file(self, *_: object, **__: object) -> Never:
        raise BadRequest("This form does not accept files.")
