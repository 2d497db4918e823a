import { type ReactNode, createElement } from 'react'
import { type ActorRefFrom, type AnyActorLogic, type AnyActorRef, fromPromise } from 'xstate'
import type { MessageDescriptor } from '@lingui/core'
import { i18n } from '../../i18n/i18n.ts'
import { getSourcePicture, probeSource } from '../../api/resources/stream-administration.ts'
import { probingMachine } from '../../machines/stream-pages/probing.machine.ts'
import { canAdminister, streamPageMachine } from '../../machines/stream-pages/stream-page.machine.ts'
import { type ContentProps, StreamFrame } from '../../views/stream-pages/StreamFrame.tsx'
import { definePage, type Page } from '../page.ts'
import { stream } from './stream.ts'

export const probing = probingMachine.provide({
  actors: {
    probe: fromPromise(({ input, signal }) => probeSource(input, signal)),
    fetchPicture: fromPromise(({ input, signal }) => getSourcePicture(input, signal)),
  },
})

interface StreamPage<Logic extends AnyActorLogic> {
  content: Logic
  title: MessageDescriptor
  /** Only users who may administer the stream can open the page. */
  isForAdmins: boolean
  View(props: ContentProps<ActorRefFrom<Logic> & AnyActorRef>): ReactNode
}

export function defineStreamPage<Logic extends AnyActorLogic>({
  content,
  title,
  isForAdmins,
  View,
}: StreamPage<Logic>): Page {
  /** As a method, whose parameters TypeScript compares loosely, the view fits the props of any content. */
  const Content: { View(props: ContentProps<AnyActorRef>): ReactNode } = { View }
  return definePage({
    logic: streamPageMachine.provide({
      actors: { stream, content },
      guards: { mayEnter: (_args, { stream, user }) => !isForAdmins || canAdminister(stream, user) },
    }),
    View: ({ actor }) => createElement(StreamFrame, { actor, title: i18n._(title), Content: Content.View }),
  })
}
