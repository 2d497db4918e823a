import { callHeaders } from '../call.ts'
import { RefusalBody } from '../contract/refusal.ts'
import { noResponse, type Refusal } from '../reply.ts'

/** A name that every file system takes. */
export const fileName = (text: string): string => text.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '-').slice(0, 180)

/** Hands a file to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

type Fetched = { ok: true; file: Blob; name: string | null } | { ok: false; refusal: Refusal }

function nameOf(headers: Headers): string | null {
  const disposition = headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  const plain = /filename="([^"]+)"/i.exec(disposition)?.[1]
  try {
    return encoded === undefined ? (plain ?? null) : decodeURIComponent(encoded)
  } catch {
    return plain ?? null
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  const body = RefusalBody.safeParse(await response.json().catch(() => null))
  return { ...noResponse, status: response.status, ...(body.success ? { code: body.data.code } : { code: '' }) }
}

/** Fetches a file under `/v1`, telling how many bytes have come. Throws only when `signal` aborts. */
export async function fetchFile(address: string, { onBytes, signal }: { onBytes: (bytes: number) => void; signal: AbortSignal }): Promise<Fetched> {
  try {
    const response = await fetch(address, { headers: callHeaders(address), credentials: 'same-origin', signal })
    if (!response.ok || response.body === null) return { ok: false, refusal: await refusalOf(response) }
    let bytes = 0
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength
          onBytes(bytes)
          controller.enqueue(chunk)
        },
      }),
    )
    const type = response.headers.get('content-type') ?? 'application/octet-stream'
    const file = await new Response(counted, { headers: { 'content-type': type } }).blob()
    return { ok: true, file, name: nameOf(response.headers) }
  } catch (error) {
    if (signal.aborted) throw error
    return { ok: false, refusal: noResponse }
  }
}
