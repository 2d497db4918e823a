import { useLayoutEffect, useRef } from 'react'

/** A picture held as a file; its address lives as long as it is shown. */
export function BlobPicture({
  picture,
  alt,
  className,
}: {
  picture: Blob
  alt: string
  className?: string | undefined
}) {
  const image = useRef<HTMLImageElement>(null)
  useLayoutEffect(() => {
    const address = URL.createObjectURL(picture)
    if (image.current !== null) image.current.src = address
    return () => URL.revokeObjectURL(address)
  }, [picture])
  return <img ref={image} alt={alt} className={className} />
}
