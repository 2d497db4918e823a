import { selectIsPlaying, selectRate, type MediaRef, type PlayerRef } from '../../machines/player/player.selectors.ts'
import type { ShuttleDrive } from './Shuttle.tsx'

export const playerDrive = (player: PlayerRef, media: MediaRef): ShuttleDrive => ({
  rate: () => selectRate(media.getSnapshot()),
  isPlaying: () => selectIsPlaying(media.getSnapshot()),
  send: player.send,
})
