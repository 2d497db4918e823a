/** The size of an image file in pixels, as browsers show it. Rejects if it can't be decoded. */
export async function pictureSizeOf(file: Blob): Promise<{ width: number; height: number }> {
  const url = URL.createObjectURL(file)
  try {
    const picture = new Image()
    picture.src = url
    await picture.decode()
    return { width: picture.naturalWidth, height: picture.naturalHeight }
  } finally {
    URL.revokeObjectURL(url)
  }
}
