"""No form of ours takes a file, so nobody can fill the disk with one.

Django reads a form before it asks whether it may be sent, and would put a file of any size into the
temporary folder.
"""

from typing import Never

from django.core.exceptions import BadRequest
from django.core.files.uploadhandler import FileUploadHandler


class NoFiles(FileUploadHandler):
    """Refuses a form at the first file in it."""

    def new_file(self, *_: object, **__: object) -> Never:
        raise BadRequest("A form carries no files here.")
