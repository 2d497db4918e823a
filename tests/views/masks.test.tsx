// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, vi } from 'vitest'
import { admin, type FakeServer, gate, reader, settings } from '../fixtures/fake-server.ts'
import { at, bodyOf, expect, focused, part, press, test, textsOf, toast } from './console.tsx'
import { drag } from './pointer.ts'

const window = { x: 0.25, y: 0.5, w: 0.25, h: 0.25 }
const page = '/ui/stream/gate/masks'

beforeEach<{ server: FakeServer }>(({ server }) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['masks'] } })
  server.answer('GET /v1/stream/gate', { json: { ...gate, masks: [window] } })
  server.answer('GET /v1/stream/preview', { status: 204 })
  server.answer('PUT /v1/stream/gate/masks', ({ postDataJSON }) => ({ json: { ...gate, ...Object(postDataJSON()) } }))
  Object.assign(Element.prototype, { setPointerCapture: () => undefined })
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 800, 400))
})

const canvas = () => screen.findByRole('group', { name: 'Picture with masks' })
const masks = async () => textsOf((await part('region', 'Masks')).getAllByRole('listitem'))

describe('privacy masks', () => {
  test('are drawn, moved and resized by a pointer, and saved together', async ({ server, visit }) => {
    await visit(page)
    const picture = await canvas()
    expect(await masks()).toEqual(['Mask 1left 25%, top 50%, width 25%, height 25%'])
    drag(picture, [400, 40], [600, 120])
    expect((await masks())[1]).toBe('Mask 2left 50%, top 10%, width 25%, height 20%')
    drag(await screen.findByRole('button', { name: /^Mask 2:/ }), [500, 80], [580, 80])
    const corner = picture.querySelector('[data-corner="1 1"]')
    if (corner === null) throw new Error('no corner')
    drag(corner, [680, 120], [720, 160])
    expect((await masks())[1]).toBe('Mask 2left 60%, top 10%, width 30%, height 30%')
    await press('button', 'Save')
    await toast('The privacy masks have been saved')
    expect(bodyOf(server, 'PUT /v1/stream/gate/masks')).toEqual({
      masks: [window, { x: 0.6, y: 0.1, w: 0.3, h: 0.3 }],
    })
    expect(server.calls).toContain('GET /v1/stream/preview?stream_id=gate&unmasked=true')
  })

  test('are added, moved, resized and removed by keys, and the focus stays', async ({ visit }) => {
    await visit(page)
    const first = await screen.findByRole('button', { name: /^Mask 1:/ })
    first.focus()
    fireEvent.keyDown(first, { key: 'ArrowRight' })
    fireEvent.keyDown(first, { key: 'ArrowUp', shiftKey: true })
    expect(await masks()).toEqual(['Mask 1left 26%, top 50%, width 25%, height 24%'])
    await press('button', 'Add mask')
    const second = await screen.findByRole('button', { name: /^Mask 2:/ })
    expect(second.getAttribute('aria-pressed')).toBe('true')
    second.focus()
    fireEvent.keyDown(second, { key: 'Delete' })
    await focused(await screen.findByRole('button', { name: /^Mask 1:/ }))
    fireEvent.keyDown(first, { key: 'z', code: 'KeyZ', ctrlKey: true })
    expect(await masks()).toHaveLength(2)
    await press('button', 'Remove mask 2')
    await press('button', 'Remove mask 1')
    await screen.findByText('No masks yet: the whole picture is shown.')
    await focused(screen.getByRole('button', { name: 'Add mask' }))
    await press('button', 'Discard changes')
    expect(await masks()).toEqual(['Mask 1left 25%, top 50%, width 25%, height 25%'])
  })

  test('are undone by the key with the letter Z, wherever the keyboard has it', async ({ visit }) => {
    await visit(page)
    const picture = await canvas()
    drag(picture, [400, 40], [600, 120])
    expect(await masks()).toHaveLength(2)
    fireEvent.keyDown(picture, { key: 'w', code: 'KeyZ', ctrlKey: true })
    expect(await masks()).toHaveLength(2)
    fireEvent.keyDown(picture, { key: 'z', code: 'KeyW', ctrlKey: true })
    expect(await masks()).toHaveLength(1)
  })

  test('say what they do not protect, and ask before they are lost', async ({ visit }) => {
    await visit(page)
    await screen.findByText(/users who may watch the stream can still get its video from the server without them/)
    drag(await canvas(), [400, 40], [600, 120])
    const tabs = await part('navigation', 'Toolbar')
    await press('link', 'Info', tabs)
    await press('button', 'Leave', await part('alertdialog', 'Leave without saving?'))
    await at('/ui/stream/gate/info')
  })

  test('are for administrators of the stream, where the server has them', async ({ server, visit }) => {
    server.answer('GET /v1/user', { json: reader })
    server.answer('GET /v1/stream/gate', { json: { ...gate, meta: { ...gate.meta, canAdmin: false } } })
    await visit(page)
    await screen.findByText("You don't have access")
    server.answer('GET /v1/user', { json: admin })
    await visit('/ui/stream/gate/setting')
    await press('link', 'Privacy masks')
    await at(page)
    server.answer('GET /v1/system/internal/ui/settings', { json: settings })
    await visit('/ui/stream/gate/setting')
    await screen.findByRole('button', { name: 'Save' })
    expect(screen.queryByRole('link', { name: 'Privacy masks' })).toBeNull()
  })
})
