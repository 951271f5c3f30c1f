"""Pages and the API that erase, and what they say of what was erased."""
