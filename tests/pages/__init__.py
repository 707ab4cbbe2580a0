"""Every page of the table and of the club's hub, looked at and measured in a real browser."""
