import type { APIRequestContext } from 'playwright/test'
import { floorPlanPng } from '../../tests/fixtures/floor-plan.ts'

const places = [
  { x: 0.12, y: 0.14, direction: 130, fieldOfView: 80 },
  { x: 0.36, y: 0.45, direction: 305, fieldOfView: 70 },
  { x: 0.88, y: 0.16, direction: 235, fieldOfView: 90 },
  { x: 0.5, y: 0.86, direction: 0, fieldOfView: 100 },
  { x: 0.62, y: 0.7, direction: 60, fieldOfView: 75 },
  { x: 0.87, y: 0.77 },
]

/** Adds a floor plan with the first cameras, unless it is there; answers its id. */
export async function addPlan(request: APIRequestContext, origin: string, uids: readonly string[]): Promise<string> {
  const { items } = await (await request.get(`${origin}/v1/plans`)).json()
  const known = Array.isArray(items) ? items[0] : undefined
  if (known !== undefined) return String(known.id)
  const cameras = places.slice(0, uids.length).map((place, index) => ({ ...place, streamId: uids[index] }))
  const post = (data: object) => request.post(`${origin}/v1/plans`, { data, headers: { origin } })
  const { id } = await (await post({ title: 'Warehouse, ground floor', cameras })).json()
  await request.put(`${origin}/v1/plan/${id}/picture`, {
    data: floorPlanPng(),
    headers: { origin, 'content-type': 'image/png' },
  })
  await post({ title: 'Roof' })
  return String(id)
}
