import type { Sound } from './media.events.ts'

/** A browser's silence ends with the first press, whatever was wished before; no volume means some. */
export function toggled({ sound, isSilenced }: { sound: Sound; isSilenced: boolean }): Sound {
  const isMuted = !isSilenced && !sound.isMuted
  return { volume: !isMuted && sound.volume === 0 ? 0.5 : sound.volume, isMuted }
}
