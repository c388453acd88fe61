/** Sources import each other by the name they will have when built (`./x.js`); here that is `./x.ts`. */
module.exports = (request, options) => {
  if (request.startsWith('.') && request.endsWith('.js') && !options.basedir.includes('node_modules')) {
    try {
      return options.defaultResolver(request.replace(/\.js$/, '.ts'), options)
    } catch {
      // A plain JavaScript file: resolved below.
    }
  }
  return options.defaultResolver(request, options)
}
