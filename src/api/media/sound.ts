import { isMutedAt } from './live-edge.ts'

/** How loud a media controller is: as it was asked for, unless the speed has no sound, or the browser lets nothing sound yet. */
export function createSound(video: () => HTMLVideoElement | null) {
  const wish = { volume: 1, isMuted: false }
  let isSilenced = false
  let rate = 1

  const apply = () => {
    const element = video()
    if (element === null) return
    element.volume = wish.volume
    element.muted = wish.isMuted || isSilenced || isMutedAt(rate)
  }
  return {
    apply,
    setRate(next: number) {
      rate = next
      apply()
    },
    set(next: { volume: number; isMuted: boolean }) {
      Object.assign(wish, next)
      if (!next.isMuted) isSilenced = false
      apply()
    },
    /** The browser refused to let it sound. */
    silence() {
      isSilenced = true
      apply()
    },
    isSilenced: () => isSilenced,
  }
}
