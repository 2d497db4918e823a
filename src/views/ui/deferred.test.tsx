// @vitest-environment jsdom
import { type ReactNode, useLayoutEffect } from 'react'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { patience } from '../../../tests/fixtures/patience.ts'
import { type Deferred, deferred, useDeferred } from './deferred.ts'

afterEach(cleanup)

function Part({ module, children }: { module: Deferred<string>; children?: ReactNode }) {
  return (
    <>
      {useDeferred(module)}
      {children}
    </>
  )
}

test('a module that arrives after a part is rendered and before its effects run is shown', async () => {
  const module = deferred(async () => 'Part')
  const Arrival = () => {
    useLayoutEffect(() => {
      module.loaded = 'Part'
    }, [])
    return null
  }
  render(
    <Part module={module}>
      <Arrival />
    </Part>,
  )
  expect(await screen.findByText('Part', undefined, patience)).toBeDefined()
})
