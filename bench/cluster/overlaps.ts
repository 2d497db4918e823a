import type { Call } from '../server.ts'

/** Half a frame of 25 a second. */
const toleranceSeconds = 0.02

/** Seconds of a stream that two segments of its archive have. */
export const recordedTwice = async (ask: Call, uid: string, from: number, until: number): Promise<number> => {
  const period = new URLSearchParams({
    start_time: new Date(from).toISOString(),
    end_time: new Date(until).toISOString(),
  })
  const text = await (await ask('GET', `/v1/stream/${uid}/archive/recorded.m3u8?${period.toString()}`)).text()
  const lengths = [...text.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds))
  const starts = [...text.matchAll(/DATE-TIME:(\S+)/g)].map(([, date = '']) => Date.parse(date) / 1000)
  return starts.slice(1).reduce((sum, start, index) => {
    const over = (starts[index] ?? 0) + (lengths[index] ?? 0) - start
    return over > toleranceSeconds ? sum + over : sum
  }, 0)
}
