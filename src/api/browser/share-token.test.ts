// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import { readGuest } from './share-token.ts'

afterEach(() => {
  sessionStorage.clear()
  history.replaceState(null, '', '/')
})

test.each(['a+b/c=', 'a%2Bb%2Fc%3D'])('the token %s is read as it was sent, and leaves the address', (typed) => {
  history.replaceState(null, '', `/ui/stream/gate/view?at=x#token=${typed}`)
  expect(readGuest()).toEqual({ uid: 'gate', token: 'a+b/c=' })
  expect(location.href).toMatch(/\/ui\/stream\/gate\/view\?at=x$/)
  expect(readGuest()).toEqual({ uid: 'gate', token: 'a+b/c=' })
})
