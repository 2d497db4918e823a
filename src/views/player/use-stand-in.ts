import { useEffect, useState } from 'react'
import type { PlayerPorts } from './ports.ts'

/** A load that is over sooner needs no picture to stand in for it. */
const standInAfterMs = 120

/** The address of the picture that stands in while `at` (the latest one for null) loads; null while there is none. */
export function useStandIn(
  preview: PlayerPorts['preview'],
  { uid, at, isWanted }: { uid: string; at: number | null; isWanted: boolean },
): string | null {
  const [picture, setPicture] = useState<{ key: string; address: string } | null>(null)
  const key = `${uid} ${at ?? 'live'}`
  useEffect(() => {
    if (!isWanted) return undefined
    const request = new AbortController()
    const held = { address: '' }
    const show = async () => {
      const file = await preview(uid, at, request.signal)
      if (file === null || request.signal.aborted) return
      held.address = URL.createObjectURL(file)
      setPicture({ key, address: held.address })
    }
    const timer = setTimeout(() => {
      show().catch(() => undefined)
    }, standInAfterMs)
    return () => {
      clearTimeout(timer)
      request.abort()
      if (held.address !== '') URL.revokeObjectURL(held.address)
      setPicture(null)
    }
  }, [preview, uid, at, isWanted, key])
  return picture?.key === key ? picture.address : null
}
