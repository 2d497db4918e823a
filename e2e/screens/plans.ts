import type { Screen, ScreenSetup } from './setup.ts'

const away = { status: 'pending', node: { id: 'west', available: false } }
const inCluster = (settings: Record<string, unknown>) => ({ ...settings, clusterEnabled: true })
const faulty = (plan: Record<string, unknown>) => {
  const streams: Record<string, unknown>[] = Array.isArray(plan['streams']) ? plan['streams'] : []
  const changes = [
    { status: 'failed', failureReason: 'EHOSTUNREACH' },
    { status: 'paused' },
    { status: 'pending' },
    away,
  ]
  const archive = { isEnable: true, depthHours: 24 }
  return { ...plan, streams: streams.map((stream, index) => ({ ...stream, archive, ...changes[index] })) }
}
const shown = ({ page }: ScreenSetup) => page.locator('[data-plan-frame] img').first().waitFor()
const edited = async (setup: ScreenSetup) => {
  await shown(setup)
  await setup.page.locator('[data-handle]').first().focus()
}

export const planScreens: readonly Screen[] = [
  { name: 'plans', path: '/plans', act: ({ page }) => page.locator('main img').first().waitFor() },
  {
    name: 'plan',
    path: '/plan/{plan}',
    overrides: { '/v1/plan/{plan}': faulty, '/v1/system/internal/ui/settings': inCluster },
    act: async (setup) => {
      await shown(setup)
      await setup.page.locator('[data-uid]').last().focus()
      await setup.page.locator('[data-plan-frame] li img').waitFor()
    },
  },
  { name: 'plan-edit', path: '/plan/{plan}/edit', act: edited },
]

export const furtherPlanScreens: readonly Screen[] = [
  { name: 'plans-empty', path: '/plans', overrides: { '/v1/plans': { json: { items: [] } } } },
  {
    name: 'plan-add',
    path: '/plans',
    act: async ({ press, dialog }) => {
      await press('Add floor plan')
      await dialog().first().waitFor()
    },
  },
  {
    name: 'plan-selection',
    path: '/plan/{plan}',
    act: async (setup) => {
      await shown(setup)
      await setup.press('Select cameras')
      for (const index of [1, 3]) await setup.page.locator('[data-uid]').nth(index).click()
    },
  },
  {
    name: 'plan-edit-empty',
    path: '/plan/{plan}/edit',
    overrides: { '/v1/plan/{plan}': (plan) => ({ ...plan, width: 0, height: 0, picture: '', cameras: [] }) },
  },
]
