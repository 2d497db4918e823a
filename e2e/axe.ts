import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright/test'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * What axe finds against WCAG 2.2 A and AA and its good practice, on the page or in the part given. The console has no frames,
 * so it is asked in its legacy mode, which opens no second page to gather what frames found.
 */
export async function axeFindings(page: Page, within = ':root'): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .include(within)
    .options({ runOnly: { type: 'tag', values: rules }, rules: { 'target-size': { enabled: true } } })
    .analyze()
  // What explains a control is drawn beside it, past the landmarks.
  const isTooltip = (html: string) => html.includes('role="tooltip"')
  return violations.flatMap(({ id, nodes }) => nodes.filter(({ html }) => !(id === 'region' && isTooltip(html))).map(({ html, any }) => `${id}: ${html.slice(0, 140)} ${any[0]?.message.slice(0, 120) ?? ''}`))
}
