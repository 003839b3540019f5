"""Measurements that are too large, or need too much, for the tests."""
