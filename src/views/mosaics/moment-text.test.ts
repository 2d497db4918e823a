import { expect, test } from 'vitest'
import { momentWriter } from './moment-text.ts'

const dayMs = 24 * 3600_000
const at = Date.UTC(2026, 10, 21, 12)
const words = (month: string) => ({
  time: { hourMinuteSecond: (moment: number) => new Date(moment).toISOString().slice(11, 19) },
  dateText: (moment: number) => `${new Date(moment).getUTCDate()} ${month}`,
})

test('a moment has its date, also at the same time of another day and in another language', () => {
  const [time, date] = [{ textContent: '' }, { textContent: '' }]
  const element = { dateTime: '', children: [time, date] }
  const write = momentWriter(element, words('Nov'))
  const shown = (moment: number) => {
    write(moment)
    return `${date.textContent} ${time.textContent}`
  }
  expect([shown(at), shown(at + 40), shown(at - dayMs), shown(at)]).toEqual([
    '21 Nov 12:00:00',
    '21 Nov 12:00:00',
    '20 Nov 12:00:00',
    '21 Nov 12:00:00',
  ])
  momentWriter(element, words('ноя.'))(at)
  expect(date.textContent).toBe('21 ноя.')
})
