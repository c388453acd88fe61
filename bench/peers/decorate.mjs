import 'reflect-metadata'

/** Applies decorators as a TypeScript build would, so that the peers need no build. */
export const decorateClass = (target, ...decorators) => Reflect.decorate(decorators, target)

export const decorateMethod = (target, name, ...decorators) => {
  const descriptor = Object.getOwnPropertyDescriptor(target.prototype, name)
  Object.defineProperty(target.prototype, name, Reflect.decorate(decorators, target.prototype, name, descriptor))
}
