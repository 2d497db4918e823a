import { useEffect, useState } from 'react'
import type { PlayerPorts } from './ports.ts'

/** If the video loads faster, no preview is shown. */
const waitMs = 120

/** The object URL of the preview that is shown while `at` (null: live) loads; null while there is none. */
export function useWaitingPicture(
  preview: PlayerPorts['preview'],
  { uid, at, isNeeded }: { uid: string; at: number | null; isNeeded: boolean },
): string | null {
  const [shown, setShown] = useState<{ key: string; url: string } | null>(null)
  const key = `${uid} ${at ?? 'live'}`
  useEffect(() => {
    if (!isNeeded) return undefined
    const request = new AbortController()
    const picture = { url: '' }
    const show = async () => {
      const file = await preview(uid, at, request.signal)
      if (file === null || request.signal.aborted) return
      picture.url = URL.createObjectURL(file)
      setShown({ key, url: picture.url })
    }
    const timer = setTimeout(() => {
      show().catch(() => undefined)
    }, waitMs)
    return () => {
      clearTimeout(timer)
      request.abort()
      if (picture.url !== '') URL.revokeObjectURL(picture.url)
      setShown(null)
    }
  }, [preview, uid, at, isNeeded, key])
  return shown?.key === key ? shown.url : null
}
