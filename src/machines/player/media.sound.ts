import type { Sound } from './media.events.ts'

/**
 * The sound after a press of the mute button. A page that the browser muted becomes audible; unmuting at volume 0 sets
 * half the volume.
 */
export function toggled({ sound, isSilenced }: { sound: Sound; isSilenced: boolean }): Sound {
  const isMuted = !isSilenced && !sound.isMuted
  return { volume: !isMuted && sound.volume === 0 ? 0.5 : sound.volume, isMuted }
}
