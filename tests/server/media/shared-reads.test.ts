import { expect, test } from 'vitest'
import { createSharedReads } from '../../../server/media/shared-reads.ts'

test('readers of the same bytes share one read, and one that brought nothing is tried again', async () => {
  const answers = [undefined, Buffer.from('part')]
  const reads: string[] = []
  const shared = createSharedReads()
  const read = () =>
    shared('one', async () => {
      reads.push('one')
      return answers.shift()
    })
  expect(await Promise.all([read(), read()])).toEqual([undefined, undefined])
  expect([await read(), await read()]).toEqual([Buffer.from('part'), Buffer.from('part')])
  expect(reads).toEqual(['one', 'one'])
})

test('a read that fails fails for all who wait for it, and the next one is made again', async () => {
  const shared = createSharedReads()
  const failing = () => shared('one', () => Promise.reject(new Error('disk')))
  expect((await Promise.allSettled([failing(), failing()])).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ])
  expect(await shared('one', async () => Buffer.from('part'))).toEqual(Buffer.from('part'))
})
