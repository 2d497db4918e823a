/** Object URLs of pictures. Each picture is decoded first, so that it replaces the previous one without a flicker. */
export interface PictureUrls {
  /** The object URL of a picture; rejects if it can't be decoded, or when aborted. */
  open: (file: Blob, signal: AbortSignal) => Promise<string>
  release: (url: string) => void
  releaseAll: () => void
}

export function createPictureUrls(): PictureUrls {
  const urls = new Set<string>()
  const release = (url: string) => {
    if (urls.delete(url)) URL.revokeObjectURL(url)
  }
  return {
    async open(file, signal) {
      const url = URL.createObjectURL(file)
      urls.add(url)
      try {
        const picture = new Image()
        picture.src = url
        await picture.decode()
        signal.throwIfAborted()
        return url
      } catch (error) {
        release(url)
        throw error
      }
    },
    release,
    releaseAll: () => {
      for (const url of urls) release(url)
    },
  }
}
