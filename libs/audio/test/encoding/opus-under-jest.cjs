/**
 * Stands in for `@evan/opus` under Jest, which evaluates a package again for every test file while its native addon is
 * one per process. The package puts its own classes in place of the addon's, in the addon; a second time they would
 * wrap themselves, and every packet would be empty. So the addon's own classes are put back first.
 */
const { createRequire } = require('node:module')

const requireBesideOpus = createRequire(require.resolve('@evan/opus/lib.js'))

const nativeAddon = () => {
  try {
    return requireBesideOpus(`./node/${process.arch}-${process.platform}.node`)
  } catch {
    return {} // No addon for this machine: the package takes its WebAssembly build, which needs no help.
  }
}

const addon = nativeAddon()
for (const name of ['Encoder', 'Decoder']) {
  while (String(addon[name]).startsWith('class')) addon[name] = Object.getPrototypeOf(addon[name])
}

module.exports = require('@evan/opus/lib.js')
