// Brings node_modules and dist up to date, for the scripts that import it and for `npm run ensure-ready`. When both are current, that is
// known from a few file times and nothing is started.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChild } from './child.mjs'
import { apiTypeFiles } from './compile.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const lockFile = 'package-lock.json'
/** Written by every installation with npm. */
const npmsOwnRecord = 'node_modules/.package-lock.json'
// Kept in the packages, so that they are removed together.
const installedState = 'node_modules/.parlance-installed'
const builtState = 'node_modules/.parlance-built'
const siteState = 'node_modules/.parlance-site'

const hash = (text) => createHash('sha256').update(text).digest('hex')
const isRecorded = (file, state) => existsSync(file) && readFileSync(file, 'utf8') === state
const changedAtMs = (file) => statSync(file).mtimeMs

/** One line when it begins, one when it is done. The output of the program is shown only if it fails. */
const step = async (title, file, args, options) => {
  const begunMs = performance.now()
  console.log(`  ${title} …`)
  const { code, output } = await runChild(file, args, options)
  const seconds = ((performance.now() - begunMs) / 1000).toFixed(1)
  if (code === 0) console.log(`✓ ${title} (${seconds} s)`)
  else console.error(`${output}✗ ${title} failed after ${seconds} s; its output is above.`)
  return code === 0
}

/** The npm that started this process, else the one in PATH. */
const npm = (args) => {
  const script = process.env.npm_execpath
  const isNpm = script !== undefined && /npm-cli\.c?js$/.test(script)
  // On Windows npm is a batch file, which only a shell can start.
  return isNpm ? [process.execPath, [script, ...args]] : ['npm', args, { shell: process.platform === 'win32' }]
}

const ensureInstalled = async () => {
  const state = hash(readFileSync(lockFile))
  if (isRecorded(installedState, state)) return true
  const byHand = existsSync(npmsOwnRecord) && changedAtMs(npmsOwnRecord) >= changedAtMs(lockFile)
  // No package that we use needs its install script, and an installation that forbids them is the same.
  const options = ['--include=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--no-progress']
  const done = byHand || (await step('Installing packages', ...npm(['ci', ...options])))
  if (done) writeFileSync(installedState, state)
  return done
}

/** What browsers load is built after the types were checked: the pages by Vite, the widget by a script of its own. */
const viteConfig = (project) => join(project, 'vite.config.mjs')
const ownBuild = (project) => join(project, 'build.mjs')
const hasPages = (project) => existsSync(viteConfig(project)) || existsSync(ownBuild(project))
const outputOf = (project) => join(project, hasPages(project) ? 'dist/site' : 'dist')
const packed = 'dist/packages'

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))

const sourcesOf = (project) => [
  join(project, 'package.json'),
  join(project, 'tsconfig.json'),
  ...[viteConfig(project), ownBuild(project), join(project, 'index.html'), join(project, 'styles.css')].filter((file) =>
    existsSync(file),
  ),
  ...filesIn(join(project, 'src')).filter((file) => !apiTypeFiles.includes(file)),
]

const ensureBuilt = async () => {
  const projects = JSON.parse(readFileSync('tsconfig.json', 'utf8')).references.map(({ path }) => path)
  const python = filesIn('sdks/python/src').filter((file) => file.endsWith('.py'))
  const sources = [lockFile, 'tsconfig.json', 'tsconfig.base.json', ...python, ...projects.flatMap(sourcesOf)]
  const state = hash(sources.map((file) => `${file} ${statSync(file).size} ${changedAtMs(file)}`).join('\n'))
  const isThere = [...projects.map(outputOf), packed].every((output) => existsSync(output))
  if (isThere && isRecorded(builtState, state)) return true
  const done =
    (await step('Building', process.execPath, ['scripts/compile.mjs'])) &&
    (await ensurePagesBuilt(projects.filter(hasPages))) &&
    (await step('Packing', process.execPath, ['scripts/pack.mjs']))
  if (done) writeFileSync(builtState, state)
  return done
}

const ensurePagesBuilt = async ([project, ...others]) =>
  project === undefined ||
  ((await (existsSync(ownBuild(project))
    ? step('Building the widget', process.execPath, [ownBuild(project)])
    : step('Building the pages', process.execPath, ['node_modules/vite/bin/vite.js', 'build', project]))) &&
    ensurePagesBuilt(others))

/** The documentation, which is small enough to compare its text: a copy of the repository has other times. */
const ensureSiteBuilt = async () => {
  const site = 'web/site'
  const folders = ['docs', join(site, '.vitepress'), join(site, 'public')]
  const sources = [join(site, 'package.json'), join(site, 'pages.mjs'), ...folders.flatMap(filesIn)].sort()
  const state = hash(sources.map((file) => `${file} ${hash(readFileSync(file))}`).join('\n'))
  if (existsSync(join(site, 'dist/site')) && isRecorded(siteState, state)) return true
  const args = ['node_modules/vitepress/bin/vitepress.js', 'build', site]
  const done = await step('Building the documentation', process.execPath, args)
  if (done) writeFileSync(siteState, state)
  return done
}

/** False when a step failed; why has been printed. */
export const ensureReady = async () => (await ensureInstalled()) && (await ensureBuilt()) && (await ensureSiteBuilt())

if (process.argv[1] === fileURLToPath(import.meta.url) && !(await ensureReady())) process.exitCode = 1
