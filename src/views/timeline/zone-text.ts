import { offsetText } from './local-time.ts'

export const zoneText = (zone: string): string => zone.replaceAll('_', ' ')

/** `offset`: milliseconds ahead of UTC. */
export const utcText = (offset: number): string => (offset === 0 ? 'UTC' : `UTC${offsetText(offset)}`)
