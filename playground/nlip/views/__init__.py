"""The NLIP server agent over HTTP, and its pages."""
