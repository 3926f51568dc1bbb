// coin_caught.cc - what CLP and CBC throw must not go through C, which cannot catch it.
#include "problems/pack/coin_table.h"

#include <new>

static struct cs_pack_coin loaded;

// The model, which comes first.
static const void *model_of()
{
    return nullptr;
}

template <class... A> static const void *model_of(const void *model, A...)
{
    return model;
}

template <class F, F cs_pack_coin::*name> struct caught;

template <class R, class... A, R (*cs_pack_coin::*name)(A...)> struct caught<R (*)(A...), name> {
    static R call(A... argument)
    {
        bool memory = false;

        try {
            return (loaded.*name)(argument...);
        } catch (const std::bad_alloc &) {
            memory = true;
        } catch (...) {
        }
        cs_pack_coin_failed(memory, model_of(argument...));
        return R();
    }
};

void cs_pack_coin_catch(void)
{
    loaded = cs_pack_coin;
#define CS_PACK_COIN(name)                                                                         \
    cs_pack_coin.name = caught<decltype(cs_pack_coin::name), &cs_pack_coin::name>::call;
    CS_PACK_CLP_FUNCTIONS
    CS_PACK_CBC_FUNCTIONS
#undef CS_PACK_COIN
}
