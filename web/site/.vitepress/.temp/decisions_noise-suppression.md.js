import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Noise suppression","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/noise-suppression.md","filePath":"decisions/noise-suppression.md"}');
const _sfc_main = { name: "decisions/noise-suppression.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="noise-suppression" tabindex="-1">Noise suppression <a class="header-anchor" href="#noise-suppression" aria-label="Permalink to &quot;Noise suppression&quot;">​</a></h1><p><strong>Context.</strong> Noise of telephones, cars and open windows begins turns and adds words. Suppressing it may not cost much: a minute of a conversation takes 1.36 s of CPU.</p><p><strong>Measurement.</strong> CPU for 10 ms of audio at 48 kHz, on a machine with other work:</p><table tabindex="0"><thead><tr><th></th><th>a frame</th><th>a minute</th></tr></thead><tbody><tr><td>RNNoise with its first model, <code>@echogarden/rnnoise-wasm</code> 0.2.0</td><td>0.19 ms</td><td>1.1 s</td></tr><tr><td>the same, <code>@jitsi/rnnoise-wasm</code> 0.2.1, which Node cannot import</td><td>0.18 ms</td><td>1.1 s</td></tr><tr><td>RNNoise with its larger model, <code>@shiguredo/rnnoise-wasm</code> 2025.1.5, which refuses to run in Node</td><td>1.10 ms</td><td>6.6 s</td></tr></tbody></table><p>Resampling from 16 kHz and back adds 0.01 ms.</p><p><strong>Decision.</strong> The first model, and only while there is noise in the background: that keeps conversations from browsers, which suppress noise themselves, at their cost. A noisy conversation costs nearly twice as much as before.</p><p><strong>Gain control.</strong> Browsers and telephone networks have it. A gain that follows the root mean square of the voice up to -20 dBFS, by at most 30 dB, was measured with pocketsphinx: 32 sentences of 208 words by four voices of flite, without noise, on a machine with other work. The same sentences differ by up to 5 words from run to run, since the recognizer adapts to the voice.</p><table tabindex="0"><thead><tr><th>level of the voice</th><th>wrong words</th><th>with gain</th><th>frames that the voice detector takes for voice</th></tr></thead><tbody><tr><td>-20 dBFS</td><td>34</td><td></td><td>82 %</td></tr><tr><td>-40 dBFS</td><td>38</td><td>33 and 38</td><td>84 %, with gain 82 %</td></tr><tr><td>-50 dBFS</td><td>78</td><td>42</td><td>78 %, with gain 81 %</td></tr></tbody></table><p>It was left out: at -40 dBFS it does not pay, and softer voices are those of microphones without the gain control that browsers turn on. Softer voices in noise, and other recognizers, were not measured.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/noise-suppression.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const noiseSuppression = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  noiseSuppression as default
};
