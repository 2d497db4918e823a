import { signatureOf } from '../alerts/webhook.ts'

/**
 * The user properties that sign a message, which MQTT 5 alone has; none without a secret. `time`: epoch milliseconds.
 * The topic is signed, too, so that the message can't be moved to another one; no topic has a `#`.
 */
export const signedProperties = (
  secret: string | undefined,
  { id, topic, payload }: { id: string; topic: string; payload: string },
  time: number,
): { properties?: { userProperties: Record<string, string> } } => {
  if (secret === undefined) return {}
  const seconds = Math.floor(time / 1000)
  const signature = signatureOf(secret, id, seconds, `${topic}#${payload}`)
  return { properties: { userProperties: { id, timestamp: String(seconds), signature } } }
}
