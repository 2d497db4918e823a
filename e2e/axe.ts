import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright/test'

export const wcag: readonly string[] = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

interface Asked {
  /** A selector of the part to check; by default the whole page. */
  within?: string
  rules?: readonly string[]
}

/**
 * The violations that axe finds: of WCAG 2.2 A and AA and its best practices, or of the given rules. The console has no
 * frames, so axe runs in its legacy mode, which opens no second page to collect results of frames.
 */
export async function axeFindings(
  page: Page,
  { within = ':root', rules = [...wcag, 'best-practice'] }: Asked = {},
): Promise<string[]> {
  // Waits for animations, as elements that fade in don't have their final colours.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.all(ending.map(({ finished }) => finished.catch(() => null)))
  })
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .include(within)
    .options({ runOnly: { type: 'tag', values: [...rules] }, rules: { 'target-size': { enabled: true } } })
    .analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 140)} ${any[0]?.message.slice(0, 120) ?? ''}`),
  )
}
