import type { APIRequestContext } from 'playwright/test'
import * as z from 'zod/mini'
import { floorPlanPng } from '../../tests/fixtures/floor-plan.ts'

const title = 'Warehouse, ground floor'
const positions = [
  { x: 0.12, y: 0.14, direction: 130, fieldOfView: 80 },
  { x: 0.36, y: 0.45, direction: 305, fieldOfView: 70 },
  { x: 0.88, y: 0.16, direction: 235, fieldOfView: 90 },
  { x: 0.5, y: 0.86, direction: 0, fieldOfView: 100 },
  { x: 0.62, y: 0.7, direction: 60, fieldOfView: 75 },
  { x: 0.87, y: 0.77 },
]

/** Adds a floor plan with the first cameras, unless it is there; answers its id. */
export async function addPlan(request: APIRequestContext, origin: string, uids: readonly string[]): Promise<string> {
  const { items } = z.parse(
    z.object({ items: z.array(z.object({ id: z.string(), title: z.string() })) }),
    await (await request.get(`${origin}/v1/plans`)).json(),
  )
  const known = items.find((one) => one.title === title)
  if (known !== undefined) return known.id
  const cameras = positions.slice(0, uids.length).map((position, index) => ({ ...position, streamId: uids[index] }))
  const post = (data: object) => request.post(`${origin}/v1/plans`, { data, headers: { origin } })
  const { id } = await (await post({ title, cameras })).json()
  await request.put(`${origin}/v1/plan/${id}/picture`, {
    data: floorPlanPng(),
    headers: { origin, 'content-type': 'image/png' },
  })
  await post({ title: 'Roof' })
  return String(id)
}
