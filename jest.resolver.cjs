/** Sources import each other by the name they will have when built (`./x.js`); here that is `./x.ts` or `./x.tsx`. */
module.exports = (request, options) => {
  // The messages of zod in other languages, which nothing here uses, are a third of the modules that most suites load.
  if (request === '../locales/index.js' && options.basedir.includes('/node_modules/zod/'))
    return options.defaultResolver('../locales/en.js', options)
  if (request.startsWith('.') && request.endsWith('.js') && !options.basedir.includes('node_modules')) {
    for (const extension of ['.ts', '.tsx']) {
      try {
        return options.defaultResolver(request.replace(/\.js$/, extension), options)
      } catch {
        // Another kind of source, or a plain JavaScript file, which is resolved below.
      }
    }
  }
  return options.defaultResolver(request, options)
}
