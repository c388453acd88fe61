export { type AvatarFile, type AvatarModel, avatarFilePath, readAvatarModels } from './avatar-model.js'
export { visemes } from './mouth-shape.js'
