/** What of a dialog cannot be reached with the keyboard alone, at a zoom of 200 % or on a phone. */
import type { Locator, Page } from 'playwright-core'
import { eventually } from './eventually.js'
import { keyboardFaultsOf, phone, resize, zoomed } from './page-reach.js'

/** How a dialog is opened: by a button or a link, or by an item of the menu that the button opens. */
export interface DialogToOpen {
  readonly button: string | RegExp
  readonly item?: string
  /** Typed into the field that has the focus at first and sent by Enter, to which the dialog shows an answer. */
  readonly text?: string
}

const dialog = '[role=dialog]'

/** Runs in the page. */
const hasFocus = `document.querySelector('${dialog}')?.contains(document.activeElement) === true`

/** Runs in the page. */
const focused = `document.activeElement?.outerHTML.slice(0, 200) + ', with the dialogs ' +
  [...document.querySelectorAll('${dialog}')].map((shown) => shown.textContent.slice(0, 40))`

/** Runs in the page: the elements beyond an edge of the window, or clipped by an ancestor. */
const cutOff = `(() => {
  const name = (element) => element.tagName.toLowerCase() + ' ' + element.textContent.trim().slice(0, 60)
  const scrolls = (element) => element !== null &&
    (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.clientWidth > 1
  const isBeyond = (element) => {
    const { left, right } = element.getBoundingClientRect()
    return (left < -1 || right > innerWidth + 1) && !scrolls(element.parentElement)
  }
  const isClipped = (element) => getComputedStyle(element).overflowX === 'hidden' && !element.matches('input, textarea') &&
    element.scrollWidth > element.clientWidth + 1
  const all = document.querySelectorAll('${dialog}, ${dialog} *')
  return [...all].filter((element) => isShown(element) && (isBeyond(element) || isClipped(element))).map(name)
})()`

const cutOffIn = async (page: Page): Promise<string[]> =>
  (await page.evaluate<string[]>(cutOff)).map((name) => `cut off at ${page.viewportSize()!.width} pixels: ${name}`)

/** A fault is reported only after this time, as a busy machine needs long. */
const patienceMs = 60_000

/** Whether it becomes true. Polled from here: timers and frames of a page that a starved browser does not paint may not run. */
const soon = (page: Page, expression: string): Promise<boolean> =>
  eventually(async () => ((await page.evaluate<boolean>(expression)) ? true : undefined)).catch(() => false)

/** Opens it with the keyboard from its button. */
const openFrom = async (page: Page, button: Locator, item: string | undefined): Promise<void> => {
  await button.focus()
  await page.keyboard.press('Enter')
  if (item === undefined) return
  const chosen = page.getByRole('menuitem', { name: item })
  await chosen.waitFor()
  const isChosen = () => chosen.evaluate((element) => element.matches(':focus'))
  for (let pressed = 0; pressed < 10 && !(await isChosen()); pressed++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

/** The problems of an open dialog. */
const contentFaultsOf = async (page: Page): Promise<string[]> => {
  if (!(await soon(page, hasFocus))) return [`the focus is not in the dialog, but on ${await page.evaluate(focused)}`]
  const faults = [...(await keyboardFaultsOf(page, dialog)), ...(await cutOffIn(page))]
  await resize(page, phone)
  faults.push(...(await cutOffIn(page)))
  await resize(page, zoomed)
  return faults
}

/** Opens the dialog and closes it by Escape, both with the keyboard. Leaves the window as it was. */
export const dialogFaultsOf = async (page: Page, { button: name, item, text }: DialogToOpen): Promise<string[]> => {
  const before = page.viewportSize()!
  await resize(page, zoomed)
  const main = page.getByRole('main')
  const link = main.getByRole('link', { name, exact: true })
  const button = main.getByRole('button', { name, exact: true }).or(link).first()
  await openFrom(page, button, item)
  await page.locator(dialog).waitFor()
  await page.waitForSelector(`${dialog} [aria-label=Loading]`, { state: 'detached' })
  const faults = []
  if (text !== undefined) {
    await soon(page, `document.activeElement.matches('${dialog} input')`)
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    await page.locator(dialog).getByRole('button', { name: 'Done' }).waitFor()
  }
  faults.push(...(await contentFaultsOf(page)))
  await page.keyboard.press('Escape')
  await page.locator(dialog).waitFor({ state: 'detached' })
  await page.evaluate('globalThis.reach?.end()')
  const returns = await button
    .and(page.locator(':focus'))
    .waitFor({ timeout: patienceMs })
    .then(
      () => true,
      () => false,
    )
  if (!returns) faults.push('the focus does not return to the button')
  await page.setViewportSize(before)
  return faults.map((fault) => `${page.url()} ${item ?? name}: ${fault}`)
}
