import { formatDateTime } from '../../i18n/formats.ts'

export const momentText = (at: number, timeZone: string): string =>
  formatDateTime(at, { dateStyle: 'medium', timeStyle: 'medium', timeZone })
