import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interruptions","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/interruptions.md","filePath":"decisions/interruptions.md"}');
const _sfc_main = { name: "decisions/interruptions.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interruptions" tabindex="-1">Interruptions <a class="header-anchor" href="#interruptions" aria-label="Permalink to &quot;Interruptions&quot;">​</a></h1><p><strong>Context.</strong> A listener&#39;s &quot;mhm&quot;, a cough and the television ended the Agent&#39;s reply as words do.</p><p><strong>Measurement.</strong> Forty overlaps with the Agent&#39;s speech: speech of flite and generated noise, through the voice detector and the turn reducer of conversations, in virtual time. What a recognizer returns is scripted: the words of a speech, also of one that is far away, and nothing for noise. All sounds are synthetic. The levels are relative to the user&#39;s voice before (<code>npm test -- services/sessions/test/conversation/turn/interruption.test.ts</code> prints this table):</p><table tabindex="0"><thead><tr><th></th><th>overlaps</th><th>interrupt, with partial texts</th><th>interrupt, with the text when it is asked for</th></tr></thead><tbody><tr><td>back-channels (&quot;mm hmm&quot;, &quot;right&quot;, &quot;got it&quot;)</td><td>12</td><td>0</td><td>0</td></tr><tr><td>coughs</td><td>4</td><td>0</td><td>0</td></tr><tr><td>doors</td><td>2</td><td>0</td><td>0</td></tr><tr><td>babble of several persons, 10 dB softer</td><td>2</td><td>0</td><td>0</td></tr><tr><td>television, 10 dB softer</td><td>3</td><td>0</td><td>0</td></tr><tr><td>a voice 20 dB softer</td><td>3</td><td>0</td><td>0</td></tr><tr><td>steady noise</td><td>2</td><td>0</td><td>0</td></tr><tr><td>interruptions (&quot;stop&quot;, &quot;yeah but how much is it&quot;)</td><td>12</td><td>12</td><td>12</td></tr></tbody></table><p>None of the interruptions is missed. The agent&#39;s speech is paused 77 ms after the beginning of an interruption (median), by any voice, and goes on after all others.</p><p><strong>Decision.</strong> Any voice pauses the playback. Words end the reply unless they are back-channels of the language or at least 8 dB softer than the user&#39;s voice before. <a href="./../conversations#turns">Conversations</a> has the rules.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/interruptions.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const interruptions = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  interruptions as default
};
