/** What of a page cannot be reached at a zoom of 200 %, or with the keyboard alone. */
import type { Page } from 'playwright-core'

/** What is left of a window of 1366 × 650 at 200 %. */
const zoomed = { width: 683, height: 325 }

/** Runs in the page: notes what gets the focus, and whether something lies over it then. */
const observeFocus = `(() => {
  const name = (element) => element.tagName.toLowerCase() + ' ' + (element.getAttribute('aria-label') ||
    element.labels?.[0]?.textContent || element.textContent || element.id).trim().slice(0, 60)
  const isCovered = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const shown = document.elementFromPoint(left + width / 2, top + height / 2)
    const labels = [...(element.labels ?? [])]
    return ![element, ...labels].some((part) => part.contains(shown)) && shown?.contains(element) !== true
  }
  const reached = new Set()
  const covered = []
  document.activeElement?.blur()
  document.addEventListener('focusin', ({ target }) => {
    if (!reached.has(target) && isCovered(target)) covered.push(name(target))
    reached.add(target)
  })
  /** One of a group of which the keyboard reaches one, and the others by the arrow keys. */
  const isOfGroup = (element) => element.matches('[role=tab], [role=option], [role=menuitem], [type=radio]')
  /** A button within a field, for what the keys of the field do. */
  const isInField = (element) => element.matches('[tabindex="-1"]') &&
    (element.closest('[class*=Input-section], [class*=PasswordInput]') !== null || element.id === 'main')
  const canAct = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled &&
    element.closest('[inert], [aria-hidden=true]') === null
  globalThis.reach = {
    size: () => reached.size,
    covered,
    missed: () => [...document.querySelectorAll('a[href], button, input, select, textarea, [role=button], [tabindex]')]
      .filter((element) => canAct(element) && !reached.has(element) && !isOfGroup(element) && !isInField(element))
      .map(name),
  }
})()`

const keysAtOnce = 10
const maxKeys = 400

/** Presses Tab until it leads to nothing new. */
const pressTabs = async (page: Page): Promise<void> => {
  let reached = -1
  for (let pressed = 0; pressed < maxKeys; pressed += keysAtOnce) {
    for (let key = 0; key < keysAtOnce; key++) await page.keyboard.press('Tab')
    const size = await page.evaluate<number>('reach.size()')
    if (size === reached) return
    reached = size
  }
}

/** Leaves the window as it was. */
export const reachFaultsOf = async (page: Page): Promise<string[]> => {
  const before = page.viewportSize()!
  await page.setViewportSize(zoomed)
  await page.evaluate(observeFocus)
  await pressTabs(page)
  const faults = await page.evaluate<string[]>(`[
    ...reach.covered.map((name) => 'covered: ' + name),
    ...reach.missed().map((name) => 'not reached by the keyboard: ' + name),
    ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the window at 200 %'] : []),
  ]`)
  await page.setViewportSize(before)
  return faults.map((fault) => `${page.url()} ${fault}`)
}
