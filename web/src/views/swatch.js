/** A square in the colour and texture of a group. */
import { swatch } from './dom.js';
import { fillOf, textureClassOf } from '../model/groups.js';

/** @param {number} group */
export const groupSwatch = (group) => swatch(fillOf(group), textureClassOf(group));
