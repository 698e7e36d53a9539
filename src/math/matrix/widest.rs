//! One body, compiled three times: for any machine, and for the wider vectors of AVX2 and AVX-512 where the machine has them.

/// Defines a function that runs on the widest vectors of the machine.
///
/// What the body calls must be `#[inline(always)]` and called by its name, or it is compiled for any machine only: a
/// function that is handed over to another is not.
///
/// Rust never reorders sums and never fuses a product with a sum by itself, so all copies give the same bits. A
/// gradient pass over bank rows took 1.7 times as long without AVX2 when both were measured, and with AVX-512 takes a tenth
/// less than with AVX2.
macro_rules! widest {
    ($(#[$about:meta])* $visible:vis fn $name:ident($($argument:ident: $kind:ty),* $(,)?) $(-> $out:ty)? $body:block) => {
        $(#[$about])*
        $visible fn $name($($argument: $kind),*) $(-> $out)? {
            #[inline(always)]
            fn work($($argument: $kind),*) $(-> $out)? $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f")]
                fn with_avx512($($argument: $kind),*) $(-> $out)? {
                    work($($argument),*)
                }
                #[target_feature(enable = "avx2")]
                fn with_avx2($($argument: $kind),*) $(-> $out)? {
                    work($($argument),*)
                }
                if std::arch::is_x86_feature_detected!("avx512f") {
                    // SAFETY: the machine has what the function needs.
                    return unsafe { with_avx512($($argument),*) };
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: as above.
                    return unsafe { with_avx2($($argument),*) };
                }
            }
            work($($argument),*)
        }
    };
}

pub(crate) use widest;
