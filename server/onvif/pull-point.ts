import { randomUUID } from 'node:crypto'
import type { CameraClient, CallOptions } from './client.ts'
import { maxNotifications } from './notifications.ts'
import { serviceAt, namespaceOf, undefinedForFault } from './services.ts'
import { childrenOf, escapeXml, find, type Element } from './xml.ts'

type PullPoint = {
  /** Resolves with the response as soon as there are notifications, or after some seconds. */
  pull: (signal: AbortSignal) => Promise<Element>
  /** A fault is ignored: a camera that can't renew keeps the subscription while messages are pulled. */
  renew: () => Promise<void>
  unsubscribe: () => Promise<void>
}

const events = namespaceOf('events')
const notifications = 'http://docs.oasis-open.org/wsn/b-2'
const addressing = 'http://www.w3.org/2005/08/addressing'
const pullSeconds = 20
const lifetimeSeconds = 60
/** The subscription is renewed after this. */
export const renewAfterMs = 25_000
const unsubscribeMs = 1500
const maxBodyBytes = 128 * 1024

const isName = (name: string): boolean => /^[a-z_][\w.-]{0,99}$/i.test(name)

/**
 * The reference parameters by which some cameras name the subscription, for the header of each call: plain elements
 * only.
 */
const parametersOf = (reference: Element | undefined): string =>
  (find(reference, 'ReferenceParameters')?.children ?? [])
    .slice(0, 4)
    .filter(({ name, text, children }) => isName(name) && children.length === 0 && text.length <= 500)
    .map(({ name, namespace, text }) => `<${name} xmlns="${escapeXml(namespace)}">${escapeXml(text.trim())}</${name}>`)
    .join('')

/** Subscribes to the events of a camera by its event service at `url`. Throws CameraFailure. */
export const openPullPoint = async (call: CameraClient, url: URL): Promise<PullPoint> => {
  const headerFor = (to: URL, action: string, more = ''): string =>
    `<a:Action xmlns:a="${addressing}">${action}</a:Action>` +
    `<a:MessageID xmlns:a="${addressing}">urn:uuid:${randomUUID()}</a:MessageID>` +
    `<a:ReplyTo xmlns:a="${addressing}"><a:Address>${addressing}/anonymous</a:Address></a:ReplyTo>` +
    `<a:To xmlns:a="${addressing}">${escapeXml(to.href)}</a:To>${more}`
  const created = await call(
    url,
    `<CreatePullPointSubscription xmlns="${events}">` +
      `<InitialTerminationTime>PT${lifetimeSeconds}S</InitialTerminationTime></CreatePullPointSubscription>`,
    { header: headerFor(url, `${events}/EventPortType/CreatePullPointSubscriptionRequest`), maxBodyBytes },
  )
  const reference = find(created, 'SubscriptionReference')
  const parameters = parametersOf(reference)
  const pullPointUrl = serviceAt(find(reference, 'Address')?.text ?? '', url) ?? url
  const ask = (name: string, namespace: string, content: string, action: string, options: CallOptions = {}) =>
    call(pullPointUrl, `<${name} xmlns="${namespace}">${content}</${name}>`, {
      maxBodyBytes,
      ...options,
      header: headerFor(pullPointUrl, action, parameters),
    })

  return {
    pull: (signal) =>
      ask(
        'PullMessages',
        events,
        `<Timeout>PT${pullSeconds}S</Timeout><MessageLimit>${maxNotifications}</MessageLimit>`,
        `${events}/PullPointSubscription/PullMessagesRequest`,
        { signal, timeoutMs: (pullSeconds + 8) * 1000 },
      ),
    renew: async () => {
      const content = `<TerminationTime>PT${lifetimeSeconds}S</TerminationTime>`
      const action = `${notifications.replace('/b-2', '/bw-2')}/SubscriptionManager/RenewRequest`
      await ask('Renew', notifications, content, action).catch(undefinedForFault)
    },
    unsubscribe: async () => {
      const action = `${notifications.replace('/b-2', '/bw-2')}/SubscriptionManager/UnsubscribeRequest`
      await ask('Unsubscribe', notifications, '', action, { timeoutMs: unsubscribeMs }).catch(() => undefined)
    },
  }
}

/** The camera's clock in an answer. */
export const clockIn = (answer: Element): string | undefined => childrenOf(answer, 'CurrentTime')[0]?.text
