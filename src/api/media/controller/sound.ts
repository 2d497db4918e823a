import { isMutedAt } from '../live/live-edge.ts'

/** Applies the requested volume; mutes at speeds without sound, and while the browser forbids sound. */
export interface Sound {
  apply(): void
  setRate(rate: number): void
  set(requested: { volume: number; isMuted: boolean }): void
  /** Mutes because the browser forbids sound, until the user turns the sound on. */
  silence(): void
  isSilenced(): boolean
}

export function createSound(video: () => HTMLVideoElement | null): Sound {
  const requested = { volume: 1, isMuted: false }
  let isSilenced = false
  let rate = 1

  const apply = () => {
    const element = video()
    if (element === null) return
    element.volume = requested.volume
    element.muted = requested.isMuted || isSilenced || isMutedAt(rate)
  }
  return {
    apply,
    setRate(next) {
      rate = next
      apply()
    },
    set(next) {
      Object.assign(requested, next)
      if (!next.isMuted) isSilenced = false
      apply()
    },
    silence() {
      isSilenced = true
      apply()
    },
    isSilenced: () => isSilenced,
  }
}
