/** Two short tones, the second lower: hertz. */
const pitches = [880, 660]
const toneSeconds = 0.18
const loudness = 0.25

export interface Tone {
  /** Lets it sound from now on; browsers that ask for a press first do so once this is called in one. */
  allow(): Promise<void>
  /** Nothing sounds, now or later, where that isn't allowed yet. */
  play(): void
}

/** A short generated sound. */
export function createTone(): Tone {
  let context: AudioContext | null = null
  return {
    async allow() {
      context ??= new AudioContext()
      await context.resume()
    },
    play() {
      if (context?.state !== 'running') return
      const { currentTime, destination } = context
      for (const [place, pitch] of pitches.entries()) {
        const [oscillator, gain] = [context.createOscillator(), context.createGain()]
        const start = currentTime + place * toneSeconds
        oscillator.frequency.value = pitch
        gain.gain.setValueAtTime(loudness, start)
        gain.gain.linearRampToValueAtTime(0, start + toneSeconds)
        oscillator.connect(gain).connect(destination)
        oscillator.start(start)
        oscillator.stop(start + toneSeconds)
      }
    },
  }
}
