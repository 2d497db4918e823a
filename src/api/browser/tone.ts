/** Frequencies of two short tones, in hertz. */
const pitches = [880, 660]
const toneSeconds = 0.18
const loudness = 0.25

export interface Tone {
  /** Unlocks the sound; some browsers require a call from a user gesture. */
  allow(): Promise<void>
  /** Silent until the browser allows sound. */
  play(): void
}

/** A short generated alarm tone. */
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
      for (const [index, pitch] of pitches.entries()) {
        const [oscillator, gain] = [context.createOscillator(), context.createGain()]
        const start = currentTime + index * toneSeconds
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
