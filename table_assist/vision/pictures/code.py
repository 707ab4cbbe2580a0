"""The text of a QR code in a picture."""

import cv2

from table_assist.vision.pictures.picture import Image


def read_code(image: Image) -> str:
    """The code's text; empty where none is found or it cannot be read."""
    try:
        return str(cv2.QRCodeDetector().detectAndDecode(image)[0])
    except (cv2.error, UnicodeDecodeError):
        return ""
