import { useEffect, useState } from 'react'
import type { PlayerPorts } from './ports.ts'

/** A faster load shows no preview. */
const waitMs = 120

/** The object URL of the preview that is shown while `at` (null: live) loads; null while there is none. */
export function useWaitingPicture(
  preview: PlayerPorts['preview'],
  { uid, at, isWanted }: { uid: string; at: number | null; isWanted: boolean },
): string | null {
  const [picture, setPicture] = useState<{ key: string; url: string } | null>(null)
  const key = `${uid} ${at ?? 'live'}`
  useEffect(() => {
    if (!isWanted) return undefined
    const request = new AbortController()
    const held = { url: '' }
    const show = async () => {
      const file = await preview(uid, at, request.signal)
      if (file === null || request.signal.aborted) return
      held.url = URL.createObjectURL(file)
      setPicture({ key, url: held.url })
    }
    const timer = setTimeout(() => {
      show().catch(() => undefined)
    }, waitMs)
    return () => {
      clearTimeout(timer)
      request.abort()
      if (held.url !== '') URL.revokeObjectURL(held.url)
      setPicture(null)
    }
  }, [preview, uid, at, isWanted, key])
  return picture?.key === key ? picture.url : null
}
