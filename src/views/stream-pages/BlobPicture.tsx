import { useLayoutEffect, useRef } from 'react'

/** An image from a blob; its object URL lives as long as the element. */
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
    const url = URL.createObjectURL(picture)
    if (image.current !== null) image.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [picture])
  return <img ref={image} alt={alt} className={className} />
}
