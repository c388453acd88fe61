/** A workspace with an Owner, an Admin and a Member, and the dashboard in a real browser. */
import type { Role } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { launchHeadlessShell } from '@parlance/testing/browser'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
// Loaded before the first call, whose deadline the loading would exceed on a busy machine.
import '../services/auth/src/people/accounts.js'
import { startTogether, type TestPlatform } from './platforms.js'

export const emailOf = (role: Role): string => `${role}@example.com`

export interface DashboardScene {
  readonly platform: TestPlatform
  readonly url: string
  readonly workspaceId: string
  /** A page of a new browser profile. What its console reports as an error or a warning fails the test. */
  open(options?: BrowserContextOptions): Promise<Page>
  /**
   * The page with the path, or an empty one, of a person who is signed in. The pages of one person share a browser profile, so
   * that scripts are loaded and compiled once.
   */
  openAs(role: Role, path?: string): Promise<Page>
  /** An empty page of a person who is signed in, in a profile of its own: the clock is that of a profile. */
  openApartAs(role: Role, options?: BrowserContextOptions): Promise<Page>
}

/** Chromium logs every response with an error status, even one that the page expects. */
const isAnswer = (url: string): boolean => /\/dashboard\/(api|auth)\//.test(url)

/** A warning of the software renderer that replaces a graphics card, where reading pixels is slow. */
const isOfDrawing = (text: string): boolean => /GL Driver Message .*GPU stall due to ReadPixels/.test(text)

/** `environment` resolves to further variables of the platform. */
export const describeDashboard = (
  name: string,
  suite: (scene: () => DashboardScene) => void,
  environment: () => Promise<Readonly<Record<string, string>>> = async () => ({}),
): void =>
  describeWithPrograms(['chromium'], name, () => {
    let browser: Browser
    let scene: DashboardScene
    /** The profiles of people who are signed in. */
    const profiles = new Map<Role, Promise<BrowserContext>>()
    const problems: string[] = []

    const newContext = async (options: BrowserContextOptions = {}) => {
      const context = await browser.newContext({
        ...{ viewport: { width: 1366, height: 650 }, locale: 'en-US' },
        // Dialogs and menus appear at once.
        reducedMotion: 'reduce',
        ...options,
      })
      context.setDefaultTimeout(60_000)
      return context
    }

    const openPage = async (context: BrowserContext): Promise<Page> => {
      const page = await context.newPage()
      watch(page)
      return page
    }

    const watch = (page: Page): void => {
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        const isExpected = message.text().startsWith('Failed to load resource') && isAnswer(message.location().url)
        if (['error', 'warning'].includes(message.type()) && !isExpected && !isOfDrawing(message.text()))
          problems.push(`${message.text()} ${message.location().url}`)
      })
    }

    beforeAll(async () => {
      const more = await environment()
      const platform = await startTogether({
        // Never called: conversations have a recognizer, so that pages do not offer one.
        ...{ STT_PROVIDER: 'openai', STT_OPENAI_URL: 'http://127.0.0.1:9/v1' },
        ...more,
        MODEL_PROVIDER_KEYS: '1:a-master-key-for-tests-only',
        // For stand-ins of models.
        OUTBOUND_ALLOW: '127.0.0.0/8',
      })
      browser = await launchHeadlessShell()
      const url = more.PUBLIC_URL ?? platform.urls[0]
      const workspace = await platform.auth.createWorkspace({ name: 'Acme', capabilities: ['tts', 'stt', 'agents'] })
      await platform.credit.grant({ workspace_id: workspace.id, amount: '100', reference: 'test' })
      for (const role of ['owner', 'admin', 'member'] as const) {
        await platform.people.addPerson({ email: emailOf(role), name: `The ${role}`, workspace_id: workspace.id, role })
      }
      const signIn = async (role: Role): Promise<BrowserContext> => {
        const context = await newContext()
        const { path } = await platform.people.createAccountLink({ email: emailOf(role), kind: 'sign_in' })
        await context.request.get(`${url}${path}`)
        return context
      }
      const profileOf = (role: Role): Promise<BrowserContext> => {
        const profile = profiles.get(role) ?? signIn(role)
        profiles.set(role, profile)
        return profile
      }
      scene = {
        ...{ platform, url, workspaceId: workspace.id },
        open: async (options) => openPage(await newContext(options)),
        async openAs(role, path) {
          const page = await openPage(await profileOf(role))
          if (path === undefined) return page
          await page.goto(`${url}${path}`)
          await page.waitForSelector('main h1')
          return page
        },
        async openApartAs(role, options = {}) {
          const storageState = await (await profileOf(role)).storageState()
          return openPage(await newContext({ storageState, ...options }))
        },
      }
    })
    afterAll(async () => {
      await browser?.close()
      await scene?.platform.stop()
    })
    afterEach(async () => {
      const kept = await Promise.all(profiles.values())
      for (const context of browser?.contexts() ?? []) {
        if (!kept.includes(context)) await context.close()
        else for (const page of context.pages()) await page.close()
      }
      expect(problems.splice(0)).toEqual([])
    })

    suite(() => scene)
  })
