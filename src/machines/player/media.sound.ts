import type { Sound } from './media.events.ts'

/** After the mute button: a page that the browser muted becomes audible, and unmuting at volume 0 sets half of it. */
export function toggled({ sound, isSilenced }: { sound: Sound; isSilenced: boolean }): Sound {
  const isMuted = !isSilenced && !sound.isMuted
  return { volume: !isMuted && sound.volume === 0 ? 0.5 : sound.volume, isMuted }
}
