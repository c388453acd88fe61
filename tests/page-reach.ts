/** The parts of a page that cannot be reached at a zoom of 200 %, or with the keyboard alone. */
import type { Page } from 'playwright-core'

/** A window of 1366 × 650 at a zoom of 200 %. */
export const zoomed = { width: 683, height: 325 }

export const phone = { width: 390, height: 844 }

/** How often a scrolling page is checked again, every 20 ms: an overloaded machine draws it late. */
const maxWaits = 500

/** Runs in the page: records which parts of the element `root` get the focus, which do not, and which are covered then. */
const observeFocus = (root: string): string => `(() => {
  const root = document.querySelector('${root}')
  const name = (element) => element.tagName.toLowerCase() + ' ' + (element.getAttribute('aria-label') ||
    element.labels?.[0]?.textContent || element.textContent || element.id).trim().slice(0, 60)
  /** Whether its part in the window is covered: of a field with many lines a browser shows the line of the caret. */
  const isCovered = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2
    const [from, to] = [Math.max(top, 0), Math.min(bottom, innerHeight)]
    const parts = [element, ...(element.labels ?? [])]
    return [0.1, 0.5, 0.9].every((share) => {
      const shown = document.elementFromPoint(x, from + share * (to - from))
      return !parts.some((part) => part.contains(shown)) && shown?.contains(element) !== true
    })
  }
  // What has the focus already may be all there is.
  const reached = new Set(root.contains(document.activeElement) ? [document.activeElement] : [])
  const covered = []
  const outside = []
  let isNew = false
  globalThis.reach?.end()
  const observing = new AbortController()
  document.addEventListener('focusin', ({ target }) => {
    if (!root.contains(target)) outside.push(name(target))
    isNew = !reached.has(target)
    reached.add(target)
  }, { signal: observing.signal })
  /** A member of a group of which Tab reaches one, and the arrow keys reach the others. */
  const isOfGroup = (element) => element.matches('[role=tab], [role=option], [role=menuitem], [type=radio]')
  /** A button within a field, for an action that keys in the field also have. */
  const isInField = (element) => element.matches('[tabindex="-1"]') &&
    (element.closest('[class*=Input-section], [class*=PasswordInput]') !== null || element.id === 'main')
  const canAct = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled &&
    element.closest('[inert], [aria-hidden=true]') === null
  globalThis.reach = {
    /** Called after a key was pressed. Resolves to whether it reached a new element, after the page has scrolled there. */
    async isNew() {
      if (!isNew) return false
      isNew = false
      const target = document.activeElement
      // What loads late moves an element that already has the focus. Scroll as the focus did, by the page's own scroll padding.
      for (let waits = 0; isCovered(target) && waits < ${maxWaits}; waits++) {
        target.scrollIntoView({ block: 'nearest' })
        await new Promise((done) => setTimeout(done, 20))
      }
      if (isCovered(target)) covered.push(name(target))
      return true
    },
    covered,
    outside,
    end: () => observing.abort(),
    missed: () => [...root.querySelectorAll('a[href], button, input, select, textarea, [role=button], [tabindex]')]
      .filter((element) => canAct(element) && !reached.has(element) && !isOfGroup(element) && !isInField(element))
      .map(name),
  }
})()`

const maxKeys = 400
/** More than a group of radio buttons or the browser's own controls need. */
const keysWithoutNew = 10

/** Presses Tab until it reaches no new element. */
const pressTabs = async (page: Page): Promise<void> => {
  let withoutNew = 0
  for (let pressed = 0; pressed < maxKeys && withoutNew < keysWithoutNew; pressed++) {
    await page.keyboard.press('Tab')
    withoutNew = (await page.evaluate<boolean>('reach.isNew()')) ? 0 : withoutNew + 1
  }
}

/** What the keyboard does not reach in the element `root`, or reaches while something lies over it. */
export const keyboardFaultsOf = async (page: Page, root = 'body'): Promise<string[]> => {
  await page.evaluate(observeFocus(root))
  await pressTabs(page)
  return page.evaluate<string[]>(`[
    ...reach.covered.map((name) => 'covered: ' + name),
    ...reach.missed().map((name) => 'not reached by the keyboard: ' + name),
    ...reach.outside.map((name) => 'reached outside: ' + name),
  ]`)
}

const widthFaultsOf = async (page: Page): Promise<string[]> =>
  (await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth'))
    ? [`wider than a window of ${page.viewportSize()!.width} pixels`]
    : []

/** Resolves when the page has been drawn in the new size: fields that grow with their text do so only then. */
export const resize = async (page: Page, size: typeof zoomed): Promise<void> => {
  await page.setViewportSize(size)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** Leaves the window as it was. */
export const reachFaultsOf = async (page: Page): Promise<string[]> => {
  const before = page.viewportSize()!
  await resize(page, zoomed)
  await page.evaluate('document.activeElement?.blur()')
  const faults = [...(await keyboardFaultsOf(page)), ...(await widthFaultsOf(page))]
  await resize(page, phone)
  faults.push(...(await widthFaultsOf(page)))
  await page.setViewportSize(before)
  return faults.map((fault) => `${page.url()} ${fault}`)
}
