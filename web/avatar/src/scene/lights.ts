import { DirectionalLight, Group, HemisphereLight } from 'three'

/** Soft, nearly white light: a hemisphere from above, a key light from the front, two lights from behind for the outline. */
export const createLights = (): Group => {
  const lights = new Group()
  lights.add(new HemisphereLight(0xffffff, 0xd8c8bc, 2.1))
  const directed = (color: number, strength: number, x: number, y: number, z: number) => {
    const light = new DirectionalLight(color, strength)
    light.position.set(x, y, z)
    lights.add(light)
  }
  directed(0xfff6ec, 1.7, 1.2, 1.6, 2.6)
  directed(0xeaf2ff, 0.45, -2, 0.4, 1.6)
  directed(0xffffff, 1.5, -2.2, 1.6, -2)
  directed(0xfff0e0, 1.1, 2.4, 1.2, -1.8)
  return lights
}
