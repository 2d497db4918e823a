import { describe, expect, test } from 'vitest'
import { hostIn, manufacturers, defaultAddresses } from './manufacturer-addresses.ts'
import { newStreamValues, validateStream } from './stream-values.ts'
import { settingsOf } from '../../../tests/fixtures/replies.ts'

describe('the default URLs of a manufacturer', () => {
  test.each([
    ['192.168.1.64', '192.168.1.64'],
    [' camera.example:8554 ', 'camera.example'],
    ['rtsp://ann:p@ss@camera.example:554/old?x=1', 'camera.example'],
    ['http://[fd00::2]:80/', '[fd00::2]'],
    ['rtsp://', ''],
    ['', ''],
    ['two words', ''],
    ['demo:gate', ''],
  ])('are at the host of what is typed: %s', (typed, host) => {
    expect(hostIn(typed)).toBe(host)
  })

  test('are valid in the form', () => {
    const settings = settingsOf()
    const blank = newStreamValues(settings)
    for (const manufacturer of manufacturers) {
      const values = { ...blank, name: 'Gate', ...defaultAddresses('192.168.1.64', manufacturer) }
      expect([manufacturer.manufacturer, validateStream(values, blank, settings)]).toEqual([
        manufacturer.manufacturer,
        {},
      ])
    }
    const hidden = 'rtsp://***@192.168.1.64:554/old'
    const addresses = defaultAddresses(hidden, { manufacturer: '', main: '/1', substream: '/2' })
    expect(addresses).toEqual({
      streamSource: 'rtsp://***@192.168.1.64:554/1',
      substreamSource: 'rtsp://***@192.168.1.64:554/2',
    })
    expect(defaultAddresses('192.168.1.64', { manufacturer: '', main: '/1', substream: '' })).toEqual({
      streamSource: 'rtsp://192.168.1.64:554/1',
      substreamSource: '',
    })
  })
})
